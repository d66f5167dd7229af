import { readFileSync } from 'node:fs';
import type { ParseArgsOptionsConfig } from 'node:util';
import { parse } from 'yaml';
import { nearest } from '../../specification/reading/nearest.ts';
import { type Given, type Terminal, text, UsageError } from '../command.ts';

type Environment = Terminal['environment'];
type Value = Given['values'][string];

/** Options of which one takes the place of the other. */
const alternatives: readonly (readonly string[])[] = [['data', 'store']];

/** Its variable holds the credentials themselves, and not the name of a file. */
const notInEnvironment: ReadonlySet<string> = new Set(['credentials', 'config']);

/** The variable of the environment that stands for an option: `TACET_MAX_BODY` for `--max-body`. */
export function variableOf(option: string): string {
  return `TACET_${option.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * What was given on the command line, and options that were not: from the environment (`TACET_PORT`), and then from the
 * file that `--config` or `TACET_CONFIG` names, whose keys are the names of options.
 *
 * @throws UsageError if the file cannot be read, has another key, or a value is not of its option's type
 */
export function configured(given: Given, options: ParseArgsOptionsConfig, environment: Environment): Given {
  const inEnvironment = Object.fromEntries(
    Object.keys(options).flatMap((option) => {
      const written = environment[variableOf(option)];
      if (written === undefined || notInEnvironment.has(option)) return [];
      return [[option, optionValue(options, option, written, variableOf(option))] as const];
    }),
  );
  const file = text(given, 'config') ?? environment['TACET_CONFIG'];
  const inFile = file === undefined ? {} : fileOf(file, options);
  return { ...given, values: over(over(inFile, inEnvironment), given.values) };
}

/** The options below, with those above over them: an option takes the place of its alternatives, too. */
function over(below: Given['values'], above: Given['values']): Given['values'] {
  const isTaken = (option: string): boolean =>
    alternatives.some((each) => each.includes(option) && each.some((one) => above[one] !== undefined));
  const rest = Object.entries(below).filter(([option]) => !isTaken(option));
  const stated = Object.entries(above).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...rest, ...stated]);
}

function fileOf(file: string, options: ParseArgsOptionsConfig): Given['values'] {
  let members: unknown;
  try {
    members = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (typeof members !== 'object' || members === null || Array.isArray(members))
    throw new UsageError(`${file} holds no options: lines as "port: 8080" are wanted`);
  return Object.fromEntries(
    Object.entries(members).map(([option, value]) => {
      if (Object.hasOwn(options, option) && option !== 'config')
        return [option, optionValue(options, option, value, `${file}: ${option}`)];
      const close = nearest(option, Object.keys(options));
      throw new UsageError(`${file}: there is no option ${option}${close ? `; did you mean ${close}?` : ''}`);
    }),
  );
}

/** A value as the command line would give it. Of a map, each member is `NAME=VALUE`. */
function optionValue(options: ParseArgsOptionsConfig, option: string, value: unknown, where: string): Value {
  const { type, multiple = false } = options[option] as { type: string; multiple?: boolean };
  if (type === 'boolean') {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return undefined;
    throw new UsageError(`${where}: true or false is wanted`);
  }
  if (!multiple && isScalar(value)) return String(value);
  if (multiple && typeof value === 'string') return value.split(/\s+/).filter((one) => one !== '');
  if (multiple && Array.isArray(value) && value.every(isScalar)) return value.map(String);
  if (multiple && typeof value === 'object' && value !== null && Object.values(value).every(isScalar))
    return Object.entries(value).map(([name, of]) => `${name}=${of}`);
  throw new UsageError(
    `${where}: ${multiple ? 'a list, or names with values,' : 'a text or a number'} is wanted`,
  );
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/**
 * A secret of the environment: in a variable, or in the file that the variable with `_FILE` behind its name gives, as
 * containers have them.
 *
 * @throws UsageError if both are given, or the file cannot be read
 */
export function secretIn(environment: Environment, variable: string): string | undefined {
  const written = environment[variable];
  const file = environment[`${variable}_FILE`];
  if (file === undefined) return written;
  if (written !== undefined)
    throw new UsageError(`${variable} and ${variable}_FILE give two secrets; give one`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`${variable}_FILE: ${(error as Error).message}`);
  }
}
