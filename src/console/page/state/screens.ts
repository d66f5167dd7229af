/** The screens, in the order of the navigation. */
export const screens = [
  'map',
  'document',
  'operations',
  'requests',
  'states',
  'data',
  'events',
  'verdicts',
  'changes',
] as const;
export type Screen = (typeof screens)[number];

/** What each is called. */
export const titles: Readonly<Record<Screen, string>> = {
  map: 'Map',
  document: 'Document',
  operations: 'Operations',
  requests: 'Requests',
  states: 'States',
  data: 'Data',
  events: 'Events',
  verdicts: 'Verdicts',
  changes: 'Changes',
};
