/** Faults that are tried in the short form of the tests: each soon found, of as many parts as may be. */
export const sample: readonly string[] = [
  'field dropped endpoints["POST /parcels"].response.headers.Location',
  'order turned endpoints["GET /parcels/{id}/scans"].does.order[0]',
  'rule skipped authentication.authorization.scanParcel',
];
