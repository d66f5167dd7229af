import { nameAt } from '../names.ts';
import { unknownName } from '../reading.ts';
import { stated } from '../said.ts';
import type { Validate } from '../typing.ts';

/** What part 5 says of other parts (language §5). */
export const validate: Validate = (of, _typing, reading) => {
  const operations = of.operations.map((one) => one.name);
  for (const [name, said] of stated(stated(of.authentication)?.authorization) ?? [])
    if (!operations.includes(name)) unknownName(name, nameAt(of, said), 'an operation', operations, reading);
};
