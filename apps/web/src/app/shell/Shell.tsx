import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { useTutor } from '../../features/accounts/auth.tsx';
import { meQuery } from '../../features/accounts/current-user.ts';
import { notifyStore } from '../../features/lessons/shared/notify-store.ts';
import { subscribeToLiveUpdates, unreadQuery } from '../../features/notifications/live-updates.ts';
import { useOfflineOwner } from '../../lib/offline-owner.ts';
import { mainItems, NavLink, secondaryItems, useIsCurrent } from './Navigation.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import classes from './Shell.module.css';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';
import { useCommandPalette } from './use-command-palette.ts';

function BottomNav() {
  const isCurrent = useIsCurrent();
  return (
    <nav className={classes.bar} aria-label="Main">
      {mainItems.map((item) => (
        <NavLink key={item.to} item={item} current={isCurrent(item)} className={classes.item}>
          <span className={classes.pill}>
            <item.Icon size={23} stroke={1.8} />
          </span>
          {item.label}
        </NavLink>
      ))}
    </nav>
  );
}

const NotifyFamilies = lazy(async () => ({
  default: (await import('../../features/messages/NotifyFamilies.tsx')).NotifyFamilies,
}));

/** 'Tell the family' lies above whatever page the tutor is on by then. */
export function NotifyFamiliesHost() {
  const request = useSyncExternalStore(notifyStore.subscribe, notifyStore.current, () => null);
  return (
    <LazyMount opened={request !== null}>
      <NotifyFamilies toTell={request} />
    </LazyMount>
  );
}

let isWatching = false;

/** On signed-in screens only, and once they stand: the landing page neither needs nor loads it. */
function useAppUpdate() {
  useEffect(() => {
    if (isWatching) return;
    isWatching = true;
    void import('./app-update.ts').then(({ watchForUpdates }) => watchForUpdates());
  }, []);
}

/**
 * What came in while the tutor looks at the page shows without being asked for: the number on the bell and the inbox, and,
 * since the tutor's revision has risen with it, whatever else a payment or an answer has changed.
 */
function useLiveUpdates() {
  const client = useQueryClient();
  useEffect(() => {
    const askForInbox = () =>
      void client.invalidateQueries({ queryKey: unreadQuery.queryKey.slice(0, 1) });
    return subscribeToLiveUpdates({
      onConnectionChange: askForInbox,
      onMessage() {
        askForInbox();
        void client.invalidateQueries({ queryKey: meQuery.queryKey });
      },
    });
  }, [client]);
}

/** On a device that a tutor called their own: after each answer about who is signed in, what is kept is looked after. */
function useOfflineSync() {
  const { data: user, dataUpdatedAt } = useQuery(meQuery);
  const owner = useOfflineOwner();
  useEffect(() => {
    if (!user || owner === null || dataUpdatedAt === 0) return;
    void import('../../features/offline/sync-snapshot.ts').then(
      ({ syncSnapshot }) => syncSnapshot(user),
      // The chunk could not be fetched; the next answer tries again.
      () => undefined,
    );
  }, [user, owner, dataUpdatedAt]);
}

const DeletionBanner = lazy(async () => ({
  default: (await import('../../features/privacy/DeletionBanner.tsx')).DeletionBanner,
}));

const CommandPalette = lazy(async () => ({
  default: (await import('../../features/command-palette/CommandPalette.tsx')).CommandPalette,
}));

/** The frame of every signed-in screen: bars above and below on a phone, a rail at the side on wide screens. */
export function Shell({ children }: { children: ReactNode }) {
  useLiveUpdates();
  useAppUpdate();
  useOfflineSync();
  const tutor = useTutor();
  const palette = useCommandPalette();
  return (
    <div className={classes.shell}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <TopBar onSearch={palette.open} />
      <Sidebar onSearch={palette.open} />
      <main id="main" className={classes.main} tabIndex={-1}>
        <OfflineBar />
        {tutor.deletesAt && (
          <Suspense>
            <DeletionBanner tutor={tutor} />
          </Suspense>
        )}
        {children}
      </main>
      <BottomNav />
      <NotifyFamiliesHost />
      <LazyMount opened={palette.opened}>
        <CommandPalette
          opened={palette.opened}
          onClose={palette.close}
          origin={palette.origin}
          takeTyped={palette.takeTyped}
          main={[...mainItems, ...secondaryItems]}
        />
      </LazyMount>
    </div>
  );
}
