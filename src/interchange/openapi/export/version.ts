/** The versions that are written; the first where none is asked for. */
export const openApiVersions = ['3.1', '3.2'] as const;
export type OpenApiVersion = (typeof openApiVersions)[number];
