import { fieldNames, section } from '../../reading/form.ts';
import { entry, named, type Values, value } from '../../reading/reading.ts';
import { template, textTemplate } from '../../reading/templates.ts';

const about = section('H.2', 'change.request');

/** What a request gives that a `run` sends (language §H.2). What is left out is not sent. */
export const sentKeys = {
  path: entry(named(value(textTemplate)), about('The parameters of the path, by name.')),
  query: entry(named(value(template)), about('Query parameters, by name. Null is not sent.')),
  headers: entry(named(value(textTemplate), fieldNames), about('Header fields, by name. Null is not sent.')),
  body: entry(template, about('The body, as JSON. A member that is not there is not sent.')),
};

export type SentRequest = Values<typeof sentKeys>;
