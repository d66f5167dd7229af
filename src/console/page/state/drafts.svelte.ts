/** A text that was edited and is not saved yet. */
export interface Draft {
  readonly text: string;
  /** The text that was edited. */
  readonly of: string;
}

/** Drafts by their files; they stay while another screen is shown. */
export const drafts: Record<string, Draft> = $state({});

addEventListener('beforeunload', (event) => {
  if (Object.keys(drafts).length > 0) event.preventDefault();
});
