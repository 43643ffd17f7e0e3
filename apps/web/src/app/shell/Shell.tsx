import { lazy, type ReactNode, Suspense } from 'react';
import { useTutor } from '../../features/accounts/auth.tsx';
import { BottomBar } from './BottomBar.tsx';
import { Rail } from './Rail.tsx';
import classes from './Shell.module.css';
import { TellHost } from './TellHost.tsx';
import { TopBar } from './TopBar.tsx';
import { useNews } from './use-news.ts';

const LeavingBanner = lazy(async () => ({
  default: (await import('../../features/own-data/LeavingBanner.tsx')).LeavingBanner,
}));

/** The frame of every signed-in screen: bars above and below on a phone, a rail at the side on wide screens. */
export function Shell({ children }: { children: ReactNode }) {
  useNews();
  const tutor = useTutor();
  return (
    <div className={classes.shell}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <TopBar />
      <Rail />
      <main id="main" className={classes.main} tabIndex={-1}>
        {tutor.deletesAt && (
          <Suspense>
            <LeavingBanner tutor={tutor} />
          </Suspense>
        )}
        {children}
      </main>
      <BottomBar />
      <TellHost />
    </div>
  );
}
