import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { type Toast, type ToastAction, toasts } from '../lib/toast.ts';
import classes from './Toaster.module.css';

/** Older toasts with an action are stacked behind the newest. */
const MAX_VISIBLE = 3;

/**
 * The status region is always mounted, so that screen readers announce changes to it. Errors are outside it, because
 * an alert is a live region of its own.
 */
export function Toaster() {
  const all = useSyncExternalStore(toasts.subscribe, toasts.all, () => NONE);
  const visible = all.filter(({ open }) => open).slice(-MAX_VISIBLE);
  const isError = ({ kind }: Toast) => kind === 'error';
  const toCard = (toast: Toast) => <ToastCard key={toast.id} toast={toast} />;
  return (
    <div className={classes.container}>
      <div className={classes.region} role="status">
        {visible.filter((toast) => !isError(toast)).map(toCard)}
      </div>
      {visible.filter(isError).map(toCard)}
    </div>
  );
}

const NONE: readonly Toast[] = [];

function ToastCard({ toast }: { toast: Toast }) {
  const isError = toast.kind === 'error';
  const pause = () => toasts.pause(toast.id);
  const resume = () => toasts.resume(toast.id);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps it open
    <div
      className={classes.card}
      data-toast
      data-kind={toast.kind}
      role={isError ? 'alert' : undefined}
      onMouseEnter={pause}
      onMouseLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      <span className={classes.icon}>
        {isError ? (
          <IconAlertTriangle size={18} stroke={2} />
        ) : (
          <IconCheck size={18} stroke={2.6} />
        )}
      </span>
      <div className={classes.text}>
        <p className={classes.title}>{toast.title}</p>
        {toast.message && <p className={classes.message}>{toast.message}</p>}
      </div>
      {toast.action && <ActionButton toast={toast} action={toast.action} />}
      <button
        type="button"
        className={classes.close}
        aria-label="Close"
        onClick={() => toasts.dismiss(toast.id)}
      >
        <IconX size={18} stroke={2} />
      </button>
    </div>
  );
}

function ActionButton({ toast, action }: { toast: Toast; action: ToastAction }) {
  return (
    <button
      type="button"
      className={classes.action}
      onClick={() => {
        toasts.dismiss(toast.id);
        action.run();
      }}
    >
      {action.label}
    </button>
  );
}
