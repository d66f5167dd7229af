// The functions that the examples leave to the operator. They need no library, so that the service finds all of them here.

interface Call {
  readonly request: {
    readonly path: { readonly id: number };
    readonly body: { readonly texts: readonly string[] };
  };
  readonly item: { readonly id: string; readonly capture_method: string };
  readonly tx: Record<'list' | 'finish' | 'settle' | 'authorize' | 'answer', Record<string, Change>>;
}

type Change = (key?: unknown, values?: object) => AsyncIterable<Text>;

interface Text {
  readonly id: number;
  readonly order: number;
  readonly status: string;
  readonly original: string;
}

/** translations: what an order costs. */
export const estimate = ({ request }: Call): number => request.body.texts.join('').length * 2;

/** translations: finishes the texts of an order that wait. */
export const translate = async ({ request, tx }: Call): Promise<readonly number[]> => {
  const finished: number[] = [];
  for await (const { id, order, status, original } of tx.list['Text']?.() ?? []) {
    if (order !== request.path.id || status !== 'waiting') continue;
    tx.finish['Text']?.(id, { translation: original.toUpperCase() });
    finished.push(id);
  }
  return finished;
};

/** payments: every payment is taken at once. */
export const network = ({ item, tx }: Call): void => {
  const change = item.capture_method === 'manual' ? tx.authorize : tx.settle;
  change['PaymentIntent']?.(item.id);
};

export const challenge = ({ item, tx }: Call): void => {
  tx.answer['PaymentIntent']?.(item.id);
};
