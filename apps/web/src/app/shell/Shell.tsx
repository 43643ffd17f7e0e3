import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { useAuth, useTutor } from '../../features/accounts/AuthProvider.tsx';
import { meQuery } from '../../features/accounts/current-user.ts';
import { notifyFamiliesStore } from '../../features/lessons/shared/notify-families-store.ts';
import {
  subscribeToLiveUpdates,
  unreadCountQuery,
} from '../../features/notifications/live-updates.ts';
import { reportRevision } from '../../lib/data-revision.ts';
import { useOfflineOwner } from '../../lib/offline-owner.ts';
import { BottomNav } from './BottomNav.tsx';
import { usePageEntries } from './NavigationLinksAndBadges.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import classes from './Shell.module.css';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';
import { useCommandPalette } from './use-command-palette.ts';

const NotifyFamilies = lazy(async () => ({
  default: (await import('../../features/messages/NotifyFamilies.tsx')).NotifyFamilies,
}));

/** The dialog for notifying families stays open over any page the tutor navigates to. */
export function NotifyFamiliesHost() {
  const request = useSyncExternalStore(
    notifyFamiliesStore.subscribe,
    notifyFamiliesStore.current,
    () => null,
  );
  return (
    <LazyMount opened={request !== null}>
      <NotifyFamilies request={request} />
    </LazyMount>
  );
}

let isWatchingForUpdates = false;

/** Only runs on signed-in pages, after they have rendered. */
function useAppUpdate() {
  useEffect(() => {
    if (isWatchingForUpdates) return;
    isWatchingForUpdates = true;
    void import('./app-update.ts').then(({ watchForUpdates }) => watchForUpdates());
  }, []);
}

/** A live update without a revision means that notifications have changed or that updates may have been missed. */
function useLiveUpdates() {
  const client = useQueryClient();
  useEffect(() => {
    const refetchNotifications = () =>
      void client.invalidateQueries({ queryKey: unreadCountQuery.queryKey.slice(0, 1) });
    return subscribeToLiveUpdates({
      onConnectionChange: refetchNotifications,
      onMessage(revision) {
        if (revision !== null) return reportRevision(revision);
        refetchNotifications();
        void client.invalidateQueries({ queryKey: meQuery.queryKey });
      },
    });
  }, [client]);
}

/** On a device where offline reading is enabled, syncs the snapshot after each response about the current user. */
function useOfflineSync() {
  const { data: user, dataUpdatedAt } = useQuery(meQuery);
  const owner = useOfflineOwner();
  useEffect(() => {
    if (!user || owner === null || dataUpdatedAt === 0) return;
    void import('../../features/offline/sync-snapshot.ts').then(
      ({ syncSnapshot }) => syncSnapshot(user),
      // The chunk could not be fetched; the next response triggers another attempt.
      () => undefined,
    );
  }, [user, owner, dataUpdatedAt]);
}

const DeletionBanner = lazy(async () => ({
  default: (await import('../../features/privacy/DeletionBanner.tsx')).DeletionBanner,
}));

const AccountRecoveryBanner = lazy(async () => ({
  default: (await import('../../features/accounts/AccountRecoveryBanner.tsx'))
    .AccountRecoveryBanner,
}));

const ReauthHost = lazy(async () => ({
  default: (await import('../../features/accounts/ReauthHost.tsx')).ReauthHost,
}));

const LoginAgainDialog = lazy(async () => ({
  default: (await import('../../features/accounts/LoginAgainDialog.tsx')).LoginAgainDialog,
}));

const CommandPalette = lazy(async () => ({
  default: (await import('../../features/command-palette/CommandPalette.tsx')).CommandPalette,
}));

const Shortcuts = lazy(async () => ({ default: (await import('./Shortcuts.ts')).Shortcuts }));

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog,
}));

/** The layout of every signed-in page: bars at the top and bottom on phones, a sidebar on wide screens. */
export function Shell({ children }: { children: ReactNode }) {
  useLiveUpdates();
  useAppUpdate();
  useOfflineSync();
  const tutor = useTutor();
  const isLoginExpired = useAuth().state === 'login expired';
  const palette = useCommandPalette();
  const pages = usePageEntries();
  const [areShortcutsShown, setAreShortcutsShown] = useState(false);
  const showShortcuts = () => setAreShortcutsShown(true);
  const isReviewPage = useLocation({
    select: ({ pathname }) => pathname === '/settings/security/review',
  });
  return (
    <div className={classes.shell}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <TopBar onSearch={palette.open} />
      <Sidebar onSearch={palette.open} onShowShortcuts={showShortcuts} />
      <main id="main" className={classes.main} tabIndex={-1}>
        <OfflineBar />
        {tutor.deletesAt && (
          <Suspense>
            <DeletionBanner tutor={tutor} />
          </Suspense>
        )}
        {(tutor.mfaRemovalAt || (tutor.accessReviewDue && !isReviewPage)) && (
          <Suspense>
            <AccountRecoveryBanner tutor={tutor} />
          </Suspense>
        )}
        {children}
      </main>
      <BottomNav />
      <NotifyFamiliesHost />
      <Suspense>
        <ReauthHost />
      </Suspense>
      <Suspense>
        <Shortcuts openSearch={palette.open} showShortcuts={showShortcuts} />
      </Suspense>
      <LazyMount opened={isLoginExpired}>
        <LoginAgainDialog opened={isLoginExpired} />
      </LazyMount>
      <LazyMount opened={areShortcutsShown}>
        <ShortcutsDialog opened={areShortcutsShown} onClose={() => setAreShortcutsShown(false)} />
      </LazyMount>
      <LazyMount opened={palette.opened || palette.action !== null}>
        <CommandPalette
          opened={palette.opened}
          onClose={palette.close}
          previousFocus={palette.previousFocus}
          consumeTypedText={palette.consumeTypedText}
          pages={pages}
          action={palette.action}
          onShowShortcuts={showShortcuts}
        />
      </LazyMount>
    </div>
  );
}
