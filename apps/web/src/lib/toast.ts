/**
 * The toaster's state. A new toast replaces the ones before it, except those with an action, such as Undo. Does not use
 * the component library, which the landing page does not load.
 */
export const TOAST_DURATION_MS = 5_000;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;
/** Deciding to undo takes longer than reading. */
export const UNDO_DURATION_MS = 10_000;

export interface ToastAction {
  label: string;
  run: () => void;
}

export interface Toast {
  id: number;
  title: string;
  message?: string | undefined;
  kind: 'success' | 'error';
  open: boolean;
  duration: number;
  action?: ToastAction | undefined;
}

export type ToastInput = Pick<Toast, 'title' | 'kind'> &
  Partial<Pick<Toast, 'message' | 'duration' | 'action'>>;

export function createToastStore() {
  let all: readonly Toast[] = [];
  let lastId = 0;
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const listeners = new Set<() => void>();

  function set(next: readonly Toast[]) {
    all = next;
    for (const listener of listeners) listener();
  }

  const find = (id: number) => all.find((toast) => toast.id === id);

  const replace = (changed: Toast) =>
    set(all.map((toast) => (toast.id === changed.id ? changed : toast)));

  function stopTimer(id: number) {
    clearTimeout(timers.get(id));
    timers.delete(id);
  }

  function schedule(id: number, action: () => void, delay: number) {
    stopTimer(id);
    timers.set(id, setTimeout(action, delay));
  }

  const scheduleClose = ({ id, duration }: Toast) => schedule(id, () => dismiss(id), duration);

  function add(input: ToastInput): number {
    lastId += 1;
    const toast: Toast = { duration: TOAST_DURATION_MS, ...input, id: lastId, open: true };
    const kept = all.filter(({ open, action }) => open && action !== undefined);
    for (const replaced of all) if (!kept.includes(replaced)) stopTimer(replaced.id);
    set([...kept, toast]);
    scheduleClose(toast);
    return toast.id;
  }

  function update(id: number, change: Partial<ToastInput>) {
    const current = find(id);
    if (!current) return;
    const toast = { ...current, ...change };
    replace(toast);
    if (toast.open) scheduleClose(toast);
  }

  /** Closes the toast; the entry remains for a while, so that it can still be updated. */
  function dismiss(id: number) {
    const toast = find(id);
    if (!toast?.open) return;
    replace({ ...toast, open: false });
    schedule(id, () => set(all.filter((other) => other.id !== id)), TOAST_REMOVE_DELAY_MS);
  }

  /** Called when the path changes, because an error belongs to the page on which it was shown. */
  function dismissErrors() {
    for (const { id, kind } of all) if (kind === 'error') dismiss(id);
  }

  /** A hovered or focused toast must not close. */
  function pause(id: number) {
    if (find(id)?.open) stopTimer(id);
  }

  function resume(id: number) {
    const toast = find(id);
    if (toast?.open) scheduleClose(toast);
  }

  function clear() {
    for (const { id } of all) stopTimer(id);
    set([]);
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  return {
    add,
    update,
    dismiss,
    dismissErrors,
    pause,
    resume,
    subscribe,
    clear,
    all: () => all,
    /** The newest toast. */
    current: () => all.at(-1) ?? null,
  };
}

export const toasts = createToastStore();

export function toastSuccess(title: string, message?: string) {
  return toasts.add({ kind: 'success', title, message });
}

export function toastUndo(title: string, undo: () => void, message?: string) {
  const action = { label: 'Undo', run: undo };
  return toasts.add({ kind: 'success', title, message, action, duration: UNDO_DURATION_MS });
}

export function toastError(message: string, title = 'Error') {
  return toasts.add({ kind: 'error', title, message });
}
