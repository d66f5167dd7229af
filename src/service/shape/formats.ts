import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type plugin from 'ajv-formats';
import { uuidForm } from '../../specification/vocabulary/agreement.ts';

const require = createRequire(import.meta.url);

type Fits = (text: string) => boolean;

/**
 * Adds the formats of JSON Schema Validation §7.3, as the RFCs that it names define them: those of ajv-formats, but
 * for where it takes more or less than those do. What an A-label decodes to (RFC 5891) is not looked at.
 */
export function addStatedFormats(ajv: Ajv2020): void {
  const addFormats = require('ajv-formats') as typeof plugin.default;
  addFormats(ajv);
  const given = (name: string): Fits => {
    const format = ajv.formats[name];
    if (format instanceof RegExp) return (text) => format.test(text);
    if (typeof format === 'function') return format as Fits;
    return (format as { validate: Fits }).validate;
  };
  const [date, hostname, ipv6] = [given('date'), given('hostname'), given('ipv6')];
  // RFC 3339 §5.6 lets others agree on a space; its grammar has a T.
  ajv.addFormat(
    'date-time',
    (text: string) => /^.{10}t/i.test(text) && date(text.slice(0, 10)) && isTime(text.slice(11)),
  );
  ajv.addFormat('time', isTime);
  ajv.addFormat('duration', duration);
  ajv.addFormat('hostname', (text: string) => !text.endsWith('.') && hostname(text));
  ajv.addFormat('uri', (text: string) => isReference(text, true, ipv6));
  ajv.addFormat('uri-reference', (text: string) => isReference(text, false, ipv6));
  ajv.addFormat('uri-template', template);
  ajv.addFormat('uuid', uuidForm);
  ajv.addFormat('email', isMailbox);
  ajv.addFormat('regex', isPattern);
}

/** RFC 3339 §5.6: `full-time`; a leap second is the last of a day in UTC (§5.7). */
function isTime(text: string): boolean {
  const found = /^(\d\d):(\d\d):(\d\d)(\.\d+)?(z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (found === null) return false;
  const [hour, minute, second, ahead, behind] = [1, 2, 3, 7, 8].map((at) => Number(found[at] ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 60 || ahead > 23 || behind > 59) return false;
  const utc = hour * 60 + minute - (found[6] === '-' ? -1 : 1) * (ahead * 60 + behind);
  return second < 60 || (utc + 1440) % 1440 === 1439;
}

/** RFC 3339, Appendix A: a unit is followed by the next smaller one, if any. */
const duration =
  /^P((\d+Y(\d+M(\d+D)?)?|\d+M(\d+D)?|\d+D)(?=T|$)|\d+W$|(?=T))(T(\d+H(\d+M(\d+S)?)?|\d+M(\d+S)?|\d+S))?$/;

const plain = "-a-z\\d._~!$&'()*+,;=";
const coded = '%[\\da-f]{2}';
const only = (characters: string): RegExp => new RegExp(`^([${characters}]|${coded})*$`, 'i');
const [userinfo, name, path, query] = [
  only(`${plain}:`),
  only(plain),
  only(`${plain}:@/`),
  only(`${plain}:@/?`),
];

/** RFC 3986 §4.1: a URI, or a reference to one; taken apart as its Appendix B does. */
function isReference(text: string, isWhole: boolean, ipv6: Fits): boolean {
  const [, before, scheme, slashes, authority = '', way = '', , asked = '', , fragment = ''] =
    /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$/s.exec(text) ?? [];
  const isAbsolute = before !== undefined;
  if (isAbsolute ? !/^[a-z][a-z\d+.-]*$/i.test(scheme ?? '') : isWhole) return false;
  if (slashes !== undefined && !(isAuthority(authority, ipv6) && (way === '' || way.startsWith('/'))))
    return false;
  // Without a scheme, the first segment holds no colon (§4.2).
  if (!isAbsolute && slashes === undefined && /^[^/]*:/.test(way)) return false;
  return path.test(way) && query.test(asked) && query.test(fragment);
}

function isAuthority(text: string, ipv6: Fits): boolean {
  const [, , user = '', host = ''] = /^((.*)@)?([^@]*?)(:\d*)?$/s.exec(text) ?? [];
  const literal = /^\[(.*)\]$/s.exec(host)?.[1];
  if (literal === undefined) return userinfo.test(user) && name.test(host);
  const isFuture = /^v[\da-f]+\.[a-z\d._~!$&'()*+,;=:-]+$/i.test(literal);
  return userinfo.test(user) && (isFuture || (!literal.includes('%') && ipv6(literal)));
}

const variable = `([a-z\\d_]|${coded})(\\.?([a-z\\d_]|${coded}))*(:[1-9]\\d{0,3}|\\*)?`;

/** RFC 6570 §2. */
const template = new RegExp(
  `^([^\\x00-\\x20\\x7f-\\x9f"<>%\\\\^\`{|}]|${coded}|\\{[+#./;?&=,!@|]?${variable}(,${variable})*\\})*$`,
  'i',
);

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
const quoted = '"([\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*"';
const label = '[a-z\\d]([a-z\\d-]*[a-z\\d])?';
const octet = '(25[0-5]|2[0-4]\\d|[01]?\\d?\\d)';
const literal = `\\[(${octet}(\\.${octet}){3}|IPv6:[\\da-f:.]+|[a-z\\d-]*[a-z\\d]:[\\x21-\\x5a\\x5e-\\x7e]+)\\]`;
const mailbox = new RegExp(`^(${atom}(\\.${atom})*|${quoted})@(${label}(\\.${label})*|${literal})$`, 'i');

/** RFC 5321 §4.1.2, with the lengths of §4.5.3.1. */
function isMailbox(text: string): boolean {
  return text.length <= 254 && text.lastIndexOf('@') <= 64 && mailbox.test(text);
}

/** ECMA-262, without what Annex B puts up with. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
