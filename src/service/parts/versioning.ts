/** There is one version and it has no marker, as while part 9 is open (language §9). */
export const version = null;
