import { describe, expect, it } from 'vitest';
import { body, guessed, json, object, to } from './guessed.ts';

const refused = (description: string | undefined) =>
  description === undefined ? {} : { 409: { description } };

/** What is guessed of 409, if the answers to POST and DELETE tell this. */
function uniqueBy(created: string, deleted?: string) {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const { all, sure, waiting } = guessed(
    {
      '/patients': {
        get: { responses: json({ type: 'array', items: to('Patient') }) },
        post: {
          requestBody: body('Patient'),
          responses: { ...json(to('Patient'), '201'), ...refused(created) },
        },
      },
      '/patients/{id}': {
        parameters: [id],
        get: { responses: json(to('Patient')) },
        delete: { responses: { 204: { description: 'gone' }, ...refused(deleted) } },
      },
    },
    { Patient: object(['email', 'lastName']) },
  );
  const found = Object.keys(all).filter(
    (at) => at.endsWith('.unique') || at === 'errors.codes.conflict.when',
  );
  return { waiting, guesses: found.map((at) => [at, all[at], sure[at]]) };
}

const email = ['resources.Patient.fields.email.unique', true, 'high'];
const row = ['errors.codes.conflict.when', ['not unique'], 'high'];

describe('what the answer with 409 to POST tells', () => {
  it.each([
    'Another patient has this email',
    'There is a patient with this email.',
    'A patient with the same `email` already exists',
    'The email is already taken',
    'This email is in use by another patient',
    'email must be unique',
  ])('is that the member is unique: %s', (description) => {
    expect(uniqueBy(description)).toEqual({ waiting: [], guesses: [email, row] });
  });

  it.each([
    'Conflict',
    'The email is not valid, or a patient with this email exists',
    'The patient is gone. Another patient has this email',
    'The patient was changed in the meantime',
    'A patient with this name exists',
    'A patient with this email and this last name exists',
    'Another patient has this email at that time',
    'The doctor has another appointment at this time',
    'Too many patients with this email are waiting for a doctor',
  ])('is nothing of a member: %s', (description) => {
    expect(uniqueBy(description).guesses).toEqual([]);
  });

  it('is not all that 409 stands for, if another operation lists it for another reason', () => {
    expect(uniqueBy('Another patient has this email', 'The patient has appointments').guesses).toEqual([
      email,
    ]);
  });
});
