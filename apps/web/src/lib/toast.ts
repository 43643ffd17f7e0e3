/**
 * What the toaster shows. One toast at a time: a new one replaces the old.
 * It is kept free of the component library, so that the landing page need not load it.
 */
export const TOAST_DURATION_MS = 5_000;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;
/** Taking something back needs longer than reading about it. */
export const UNDO_DURATION_MS = 10_000;

export interface ToastAction {
  label: string;
  run: () => void;
}

export interface Toast {
  id: number;
  title: string;
  message?: string | undefined;
  tone: 'done' | 'failed';
  open: boolean;
  duration: number;
  /** What can still be done about it. Such a toast stands above the bottom bar, in reach of the thumb. */
  action?: ToastAction | undefined;
}

export type ToastInput = Pick<Toast, 'title' | 'tone'> &
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

  /** Closes it; the entry itself stays for a while, so that it could still be updated. */
  function dismiss(id: number) {
    if (current?.id !== id || !current.open) return;
    show({ ...current, open: false });
    schedule(() => show(null), TOAST_REMOVE_DELAY_MS);
  }

  /** While someone points at it or tabs into it, it must not vanish under their hand. */
  function hold(id: number) {
    if (current?.id === id && current.open) clearTimeout(timer);
  }

  function release(id: number) {
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

  return { add, update, dismiss, hold, release, clear, subscribe, current: () => current };
}

export const toasts = createToastStore();

export function toastDone(title: string, message?: string) {
  return toasts.add({ tone: 'done', title, message });
}

export function toastUndo(title: string, undo: () => void, message?: string) {
  const action = { label: 'Undo', run: undo };
  return toasts.add({ tone: 'done', title, message, action, duration: UNDO_DURATION_MS });
}

export function toastFailed(message: string, title = 'Error') {
  return toasts.add({ tone: 'failed', title, message });
}
