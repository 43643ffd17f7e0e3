import { lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy, useState } from 'react';

/**
 * The large pieces that frame and gates choose between. The routes' loaders start them at the same moment as the
 * question who is signed in, and not only once it is answered.
 */
function chunk<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;

  async function fetchOnce() {
    loading ??= load();
    loaded = await loading;
    return loaded;
  }

  const Waiting = lazy(async () => ({ default: await fetchOnce() }));

  /** A lazy component waits for a moment even when its chunk is here: enough to flash a spinner. */
  function Chunk(props: Props) {
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Component {...props} />;
  }

  return Object.assign(Chunk, { preload: fetchOnce });
}

const fetchScreens = async () => (await import('./screens.ts')).screens;

export const MantineFrame = chunk(async () => (await fetchScreens()).MantineFrame());
export const Shell = chunk(async () => (await fetchScreens()).Shell());
export const Landing = chunk(async () => (await import('../pages/Landing.tsx')).LandingPage);
export const Dashboard = chunk(async () => (await fetchScreens()).Dashboard());
export const Offline = chunk(async () => (await fetchScreens()).Offline());

type Screen = Exclude<
  keyof Awaited<ReturnType<typeof fetchScreens>>,
  'MantineFrame' | 'Offline' | 'Shell'
>;

/** A screen that is fetched when its address is opened, or is about to be. */
export function screen(name: Screen) {
  return lazyRouteComponent(async () => ({ default: await (await fetchScreens())[name]() }));
}
