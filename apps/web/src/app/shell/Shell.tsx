import type { ReactNode } from 'react';
import { BottomBar } from './BottomBar.tsx';
import { Rail } from './Rail.tsx';
import classes from './Shell.module.css';
import { TellHost } from './TellHost.tsx';
import { TopBar } from './TopBar.tsx';
import { useNews } from './use-news.ts';

/** The frame of every signed-in screen: bars above and below on a phone, a rail at the side on wide screens. */
export function Shell({ children }: { children: ReactNode }) {
  useNews();
  return (
    <div className={classes.shell}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <TopBar />
      <Rail />
      <main id="main" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <BottomBar />
      <TellHost />
    </div>
  );
}
