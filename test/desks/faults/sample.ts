/** Faults that are tried in the short form of the tests: each soon found, of as many parts as may be. */
export const sample: readonly string[] = [
  'unknown actor service.actors.sender',
  'bound off by one resources.Parcel.fields.recipient.maxLength: 121',
  'readable turned resources.Parcel.fields.scans.readable',
  'set to another resources.Parcel.fields.sender.set.create',
  'guard off by one states["Parcel.status"].transitions.cancel.when: 20001',
  'field dropped endpoints["POST /parcels"].response.headers.Location',
  'no challenge authentication.schemes.key.challenge',
  'order turned endpoints["GET /parcels/{id}/scans"].does.order[0]',
  'guard skipped states["Parcel.status"].transitions.deliver.when',
  'compared otherwise resources.Account.fields.email.unique',
  'too soon states["Parcel.status"].transitions.expire.after: PT1S',
  'not let in authentication.authorization.listParcels[0]',
  'rule skipped authentication.authorization.scanParcel',
];
