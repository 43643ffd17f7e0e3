import { lazy, type ReactNode, Suspense } from 'react';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { useTutor } from '../../features/accounts/auth.tsx';
import { BottomBar } from './BottomBar.tsx';
import { mainItems, sideItems } from './nav.ts';
import { OfflineBar } from './OfflineBar.tsx';
import { Rail } from './Rail.tsx';
import classes from './Shell.module.css';
import { TellHost } from './TellHost.tsx';
import { TopBar } from './TopBar.tsx';
import { useKeeping } from './use-keeping.ts';
import { useNews } from './use-news.ts';
import { usePalette } from './use-palette.ts';
import { useVersions } from './use-versions.ts';

const LeavingBanner = lazy(async () => ({
  default: (await import('../../features/own-data/LeavingBanner.tsx')).LeavingBanner,
}));

const CommandPalette = lazy(async () => ({
  default: (await import('../palette/CommandPalette.tsx')).CommandPalette,
}));

/** The frame of every signed-in screen: bars above and below on a phone, a rail at the side on wide screens. */
export function Shell({ children }: { children: ReactNode }) {
  useNews();
  useVersions();
  useKeeping();
  const tutor = useTutor();
  const palette = usePalette();
  return (
    <div className={classes.shell}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <TopBar onSearch={palette.open} />
      <Rail onSearch={palette.open} />
      <main id="main" className={classes.main} tabIndex={-1}>
        <OfflineBar />
        {tutor.deletesAt && (
          <Suspense>
            <LeavingBanner tutor={tutor} />
          </Suspense>
        )}
        {children}
      </main>
      <BottomBar />
      <TellHost />
      <WhenOpened opened={palette.opened}>
        <CommandPalette
          opened={palette.opened}
          onClose={palette.close}
          origin={palette.origin}
          takeTyped={palette.takeTyped}
          main={[...mainItems, ...sideItems]}
        />
      </WhenOpened>
    </div>
  );
}
