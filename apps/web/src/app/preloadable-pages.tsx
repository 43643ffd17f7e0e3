import { lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy, useState } from 'react';

/**
 * The large chunks that layouts and guards choose between. The route loaders fetch them in parallel with the current
 * user rather than afterwards.
 */
function lazyWithPreload<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;

  async function fetchOnce() {
    loading ??= load();
    loaded = await loading;
    return loaded;
  }

  const LazyComponent = lazy(async () => ({ default: await fetchOnce() }));

  /** A lazy component suspends briefly even if its chunk is already loaded, long enough for a spinner to flash. */
  function Preloadable(props: Props) {
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? LazyComponent);
    return <Component {...props} />;
  }

  return Object.assign(Preloadable, { preload: fetchOnce });
}

const importLazyPages = async () => (await import('./lazy-pages.ts')).lazyPages;

export const UiProvider = lazyWithPreload(async () => (await importLazyPages()).UiProvider());
export const Shell = lazyWithPreload(async () => (await importLazyPages()).Shell());
export const Landing = lazyWithPreload(
  async () => (await import('../pages/Landing.tsx')).LandingPage,
);
export const Dashboard = lazyWithPreload(async () => (await importLazyPages()).Dashboard());
export const Offline = lazyWithPreload(async () => (await importLazyPages()).Offline());

type PageName = Exclude<
  keyof Awaited<ReturnType<typeof importLazyPages>>,
  'UiProvider' | 'Offline' | 'Shell'
>;

/** A page whose chunk is fetched when its route is opened or preloaded. */
export function lazyPage(name: PageName) {
  return lazyRouteComponent(async () => ({ default: await (await importLazyPages())[name]() }));
}
