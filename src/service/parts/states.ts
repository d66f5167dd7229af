/** What machines set on a new item: nothing, as while part 3 is open (language §3). */
export function initialMembers(_resource: string): Readonly<Record<string, unknown>> {
  return {};
}
