import { type Shape, schemaOf } from '../specification/vocabulary/shape.ts';
import type { Claim } from './check.ts';
import { type Exchange, jsonOf, mediaType } from './http.ts';
import type { Trial } from './trial.ts';
import { shownAs } from './unify.ts';
import { known, unknown, unseen } from './verdict.ts';

/** Whether the content of an answer has a shape (language §H.3, `shape`): judged where it is JSON. */
export function ofShape({ tools }: Trial, shape: Shape, exchange: Exchange): Claim {
  const content = exchange.response?.body ?? '';
  const media = mediaType(exchange.response);
  const schema = schemaOf(shape);
  const json = jsonOf(exchange);
  if (json === undefined) {
    const isOther = media !== undefined && !/^application\/([\w.!#$&^-]+\+)?json$/.test(media);
    const truth = isOther ? unseen(`content of ${media} is not looked into`) : known(false);
    return { truth, expected: shownAs(schema), found: `content that is not JSON: ${shownAs(content)}` };
  }
  const { failures, open } = tools.shows(schema, json);
  const [first] = failures;
  if (first !== undefined)
    return {
      truth: known(false),
      expected: `${first.keyword} at ${at(first.path)} (${shape.address})`,
      found: shownAs(json),
    };
  return {
    truth: open.length > 0 ? unknown(...open) : known(true),
    expected: shownAs(schema),
    found: shownAs(json),
  };
}

function at(path: readonly (string | number)[]): string {
  return path.length === 0 ? 'the whole' : path.join('.');
}
