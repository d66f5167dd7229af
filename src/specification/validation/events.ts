import { entryNames, transitionsOf } from '../names.ts';
import { unknownName } from '../reading.ts';
import { stated } from '../said.ts';
import type { Validate } from '../typing.ts';

/** What part 6 says of other parts (language §6). */
export const validate: Validate = (of, _typing, reading) => {
  const emitters = [
    ...of.operations.map((one) => one.name),
    ...entryNames(of).flatMap((name) => transitionsOf(of, name).map((transition) => `${name}.${transition}`)),
  ];
  for (const said of stated(stated(of.events)?.kinds)?.values() ?? [])
    for (const one of stated(stated(said)?.by) ?? [])
      if (!emitters.includes(one.text))
        unknownName(one.text, one.at, 'an operation or a transition', emitters, reading);
};
