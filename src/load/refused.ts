/** What was asked for cannot be done. The message says why, and what to do. */
export class Refused extends Error {}
