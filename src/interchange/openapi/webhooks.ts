import { branch, hosted, leaf, type Piece } from './piece.ts';
import type { Shaping } from './shape.ts';

/** Part 6: a webhook is a kind of event. What brings it about, and where it is sent, no description says. */
export function eventsPiece({ places, losses }: Shaping): Piece | undefined {
  const webhooks = places.member(places.root, 'webhooks');
  const kinds = places.members(webhooks).flatMap(([name, item]): [string, Piece][] => {
    const post = places.member(item, 'post');
    if (post === undefined) {
      losses.add('gap', 'a webhook that is no POST', item.pointer);
      return [];
    }
    const { span } = post.node;
    losses.add('gap', 'the shape of a webhook', post.pointer);
    const asked = branch(span, {
      by: leaf('(open) what brings it about?', span),
      body: leaf('(open) which values does it tell?', span),
    });
    return [[name, hosted(asked, post)]];
  });
  if (webhooks === undefined || kinds.length === 0) return undefined;
  const { span } = webhooks.node;
  return branch(span, {
    kinds: branch(span, Object.fromEntries(kinds)),
    delivery: branch(span, {
      webhooks: branch(span, { webhook: leaf('(open) which addresses is it sent to?', span) }),
    }),
  });
}
