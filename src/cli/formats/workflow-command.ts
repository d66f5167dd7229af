/** What annotates a place in a file; lines and columns from 1. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  /** By their names, in the order in which they are written. */
  readonly properties: Readonly<Record<string, string | number>>;
  readonly message: string;
}

/**
 * A workflow command of GitHub Actions, which makes an annotation of it:
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export function workflowCommand({ level, properties, message }: Annotation): string {
  const written = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${written.join(',')}::${data(message)}\n`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
