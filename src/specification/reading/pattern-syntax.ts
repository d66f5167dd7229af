/**
 * A pattern of ECMA-262 (RegExp with `u`, as JSON Schema Core §6.4 has it) in the syntax of RE2, which spells some of
 * it otherwise, and means less by `\s` and more by `.`. What it does not know is left for RE2 to read, or to refuse.
 */
export function asRe2(pattern: string): string {
  // Within a group for which `.` is any character, it is RE2's own.
  const dot = /\(\?[imU]*s/.test(pattern) ? '.' : '[^\\n\\r\\x{2028}\\x{2029}]';
  let isWithin = false;
  return pattern.replaceAll(token, (written) => {
    if (written === '[' || written === '[^') {
      const isOpening = !isWithin;
      isWithin = true;
      return isOpening ? written : written.replace('[', '\\[');
    }
    if (written === ']') isWithin = false;
    if (written === '.') return isWithin ? written : dot;
    if (written === '\\s') return isWithin ? spaces : `[${spaces}]`;
    if (written === '\\S') return isWithin ? notSpaces : `[^${spaces}]`;
    return escaped(written);
  });
}

const token =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\[\s\S]|\[:\^?[a-z]+:\]|\[\^?|\]|\./g;

/** White space and line ends (ECMA-262 §12.2, §12.3). */
const spaces =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notSpaces =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

function escaped(written: string): string {
  if (/^\\u[^{]/.test(written)) {
    const units = written
      .split('\\u')
      .slice(1)
      .map((unit) => Number.parseInt(unit, 16));
    return `\\x{${(String.fromCharCode(...units).codePointAt(0) as number).toString(16)}}`;
  }
  if (written.startsWith('\\u{')) return `\\x{${written.slice(3, -1)}}`;
  if (written.startsWith('\\c')) return `\\x{${(written.charCodeAt(2) % 32).toString(16)}}`;
  const [, start, name] = /^(\\[pP])\{(?:(?:gc|General_Category|sc|Script)=)?(.*)\}$/.exec(written) ?? [];
  return start === undefined ? written : `${start}{${categories.get(name ?? '') ?? name}}`;
}

/** The general categories by their long names (Unicode, PropertyValueAliases). */
const categories: ReadonlyMap<string, string> = new Map(
  `C Other,Cc Control,Cf Format,Co Private_Use,L Letter,Ll Lowercase_Letter,Lm Modifier_Letter,Lo Other_Letter,
  Lt Titlecase_Letter,Lu Uppercase_Letter,M Mark,M Combining_Mark,Mc Spacing_Mark,Me Enclosing_Mark,
  Mn Nonspacing_Mark,N Number,Nd Decimal_Number,Nd digit,Nl Letter_Number,No Other_Number,P Punctuation,P punct,
  Pc Connector_Punctuation,Pd Dash_Punctuation,Pe Close_Punctuation,Pf Final_Punctuation,Pi Initial_Punctuation,
  Po Other_Punctuation,Ps Open_Punctuation,S Symbol,Sc Currency_Symbol,Sk Modifier_Symbol,Sm Math_Symbol,
  So Other_Symbol,Z Separator,Zl Line_Separator,Zp Paragraph_Separator,Zs Space_Separator`
    .split(/,\s*/)
    .map((pair) => pair.split(' ').reverse() as [string, string]),
);
