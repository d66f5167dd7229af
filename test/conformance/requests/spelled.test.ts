import { expect, it } from 'vitest';
import { seeded } from '../../../src/conformance/random.ts';
import { Pool } from '../../../src/conformance/requests/pool.ts';
import { spelled } from '../../../src/conformance/requests/requests.ts';
import { specificationOf } from '../../service/served.ts';

const pool = new Pool(specificationOf('name: Nothing'), seeded(1), 0);

it.each([
  [{ type: 'integer' }, [5, 5.5, true, 'other'], [5, '5.5', 'true', 'other']],
  [{ type: 'number' }, [5.5, 'other'], [5.5, 'other']],
  [{ type: 'boolean' }, [true, 1], [true, '1']],
  [{ type: 'string' }, [1, 'a', ''], ['1', 'a']],
  [{}, [1, null, ['a'], {}], ['1']],
])('values of a parameter are as its text is read: %j', (schema, values, read) => {
  expect(spelled(values, schema, pool)).toEqual(read);
});
