import { type ComponentProps, useSyncExternalStore } from 'react';

/*
 * The portal has few pages, so it needs no router: '/family', '/family/<contact>', '/family/<contact>/notes',
 * '/family/<contact>/money', '/family/<contact>/details', '/family/tutors' and '/family/details'.
 */

export const portalPaths = {
  home: '/family',
  tutors: '/family/tutors',
  /** For a person who has to choose a tutor, and in emails. */
  ownDetails: '/family/details',
  lessons: (publicId: string) => `/family/${encodeURIComponent(publicId)}`,
  notes: (publicId: string) => `/family/${encodeURIComponent(publicId)}/notes`,
  money: (publicId: string) => `/family/${encodeURIComponent(publicId)}/money`,
  details: (publicId: string) => `/family/${encodeURIComponent(publicId)}/details`,
};

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

/** Without a slash at the end. */
export const usePortalPath = (): string =>
  useSyncExternalStore(subscribe, () => window.location.pathname.replace(/\/+$/, ''));

function navigateTo(path: string): void {
  window.history.pushState(null, '', path);
  window.scrollTo(0, 0);
  for (const listener of listeners) listener();
}

interface LinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  to: string;
}

export const PortalLink = ({ to, children, ...props }: LinkProps) => (
  <a
    {...props}
    href={to}
    onClick={(event) => {
      // The browser handles a click with a modifier key, for example by opening another tab.
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      navigateTo(to);
    }}
  >
    {children}
  </a>
);
