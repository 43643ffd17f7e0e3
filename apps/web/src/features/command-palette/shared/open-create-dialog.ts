export type CreateActionId =
  | 'new-lesson'
  | 'record-payment'
  | 'new-student'
  | 'new-invoice'
  | 'time-off';

type Listener = (id: CreateActionId) => void;
let listener: Listener | null = null;

/** Called by the shell, which shows the dialogs. */
export function onCreateRequest(start: Listener): () => void {
  listener = start;
  return () => {
    listener = null;
  };
}

/** Opens the dialog for creating a record over the current page. */
export const requestCreate: Listener = (id) => listener?.(id);
