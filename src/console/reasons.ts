import { questionAt } from '../report/status.ts';
import type { Answered } from '../service/answered.ts';
import { at, lineText, position } from '../source/text.ts';
import type { Specification } from '../specification/model/specification.ts';
import { type Address, isUnder } from '../specification/reading/address.ts';
import type { Point } from '../specification/reading/reading.ts';

/** A statement, or an open point, that had a part in an answer. */
export interface Reason {
  readonly address: Address;
  /** `held`: it is open, so that the request could not be carried out. */
  readonly part: 'took part' | 'held';
  readonly at: string;
  readonly file: string;
  readonly line: number;
  /** What is stated, in short. */
  readonly excerpt: string;
  readonly question: string | null;
}

/** Why a request was answered so: the statements in the order in which they had their part. */
export function reasonsOf(of: Specification, { statements, held }: Answered): readonly Reason[] {
  const reason =
    (part: Reason['part']) =>
    (address: Address): Reason => {
      const own = of.points.get(address);
      const point = own ?? within(of, address);
      const span = point?.at;
      const line = span ? position(span.text, span.start).line : 0;
      return {
        address,
        part,
        at: span ? at(span) : '',
        file: span?.text.file ?? '',
        line,
        excerpt: span
          ? shortened(own ? span.text.content.slice(span.start, span.end) : lineText(span.text, line))
          : '',
        question: part === 'held' ? questionAt(of, address) : null,
      };
    };
  return [...statements.map(reason('took part')), ...held.map(reason('held'))];
}

/** So many characters of a statement are shown. */
const mostShown = 160;

function shortened(text: string): string {
  const whole = text.replaceAll(/\s+/g, ' ').trim();
  return whole.length > mostShown ? `${whole.slice(0, mostShown - 1)}…` : whole;
}

/** The first point of what holds several. */
function within({ points }: Specification, address: Address): Point | undefined {
  return [...points.values()].find((one) => one.state !== 'open' && isUnder(one.address, address));
}
