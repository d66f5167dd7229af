const form = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):([0-5]\d))$/;

/** An instant in microseconds since 1970, of a text of RFC 3339; null if it is none. */
export function instantOf(text: string): number | null {
  const found = form.exec(text);
  if (found === null) return null;
  const [, date = '', hour = '', minute = '', second = '', digits = '', sign, hours = '0', minutes = '0'] =
    found;
  const day = new Date(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  if (!isDay || Number(hour) > 23 || Number(hours) > 23) return null;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const seconds = Number(hour) * 3600 + (Number(minute) - offset) * 60 + Number(second);
  return (day.getTime() + seconds * 1000) * 1000 + Number(digits.padEnd(6, '0').slice(0, 6));
}

/** An instant as it is shown, in UTC. */
export function shownInstant(micros: number): string {
  const text = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = ((micros % 1000) + 1000) % 1000;
  return rest === 0 ? text : text.replace('Z', `${String(rest).padStart(3, '0')}Z`);
}

export const minute = 60_000_000;
export const hour = 60 * minute;
export const day = 24 * hour;
