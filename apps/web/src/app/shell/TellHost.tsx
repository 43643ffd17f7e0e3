import { lazy, useSyncExternalStore } from 'react';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { tellStore } from '../../lib/tell.ts';

const TellFamilies = lazy(async () => ({
  default: (await import('../../features/messages/TellFamilies.tsx')).TellFamilies,
}));

/** 'Tell the family' lies above whatever page the tutor is on by then. */
export function TellHost() {
  const toTell = useSyncExternalStore(tellStore.subscribe, tellStore.current, () => null);
  return (
    <WhenOpened opened={toTell !== null}>
      <TellFamilies toTell={toTell} />
    </WhenOpened>
  );
}
