/** What a text cannot hold, and what is markup in it: XML 1.0 (§2.2) refuses two characters more than HTML (§3.2.5.1). */
const languages = {
  html: { refused: /[^\P{Cc}\n\t]/gu, marks: /[&<>"']/g },
  xml: { refused: /[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, marks: /[&<>"]/g },
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text of which nothing is markup; what the language cannot hold is U+FFFD. */
export function escaped(text: string, language: keyof typeof languages): string {
  const { refused, marks } = languages[language];
  return text
    .toWellFormed()
    .replace(refused, '\ufffd')
    .replace(marks, (one) => entities[one] as string);
}
