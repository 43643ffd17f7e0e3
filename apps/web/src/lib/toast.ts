/**
 * The toaster's state. Only one toast is shown at a time: a new one replaces the old one. Does not use the component
 * library, which the landing page does not load.
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
  /** A toast with an action is shown above the bottom navigation. */
  action?: ToastAction | undefined;
}

export type ToastInput = Pick<Toast, 'title' | 'kind'> &
  Partial<Pick<Toast, 'message' | 'duration' | 'action'>>;

export function createToastStore() {
  let current: Toast | null = null;
  let lastId = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  function show(next: Toast | null) {
    current = next;
    for (const listener of listeners) listener();
  }

  function schedule(action: () => void, delay: number) {
    clearTimeout(timer);
    timer = setTimeout(action, delay);
  }

  function scheduleClose(toast: Toast) {
    schedule(() => dismiss(toast.id), toast.duration);
  }

  function add(input: ToastInput): number {
    lastId += 1;
    const toast: Toast = { duration: TOAST_DURATION_MS, ...input, id: lastId, open: true };
    show(toast);
    scheduleClose(toast);
    return toast.id;
  }

  function update(id: number, change: Partial<ToastInput>) {
    if (current?.id !== id) return;
    const toast = { ...current, ...change };
    show(toast);
    if (toast.open) scheduleClose(toast);
  }

  /** Closes the toast; the entry remains for a while, so that it can still be updated. */
  function dismiss(id: number) {
    if (current?.id !== id || !current.open) return;
    show({ ...current, open: false });
    schedule(() => show(null), TOAST_REMOVE_DELAY_MS);
  }

  /** A hovered or focused toast must not close. */
  function pause(id: number) {
    if (current?.id === id && current.open) clearTimeout(timer);
  }

  function resume(id: number) {
    if (current?.id === id && current.open) scheduleClose(current);
  }

  function clear() {
    clearTimeout(timer);
    show(null);
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  return { add, update, dismiss, pause, resume, clear, subscribe, current: () => current };
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
