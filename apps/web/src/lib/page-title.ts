import { useEffect } from 'react';

const SITE = 'Lessonbook';

/** The title names the page first: that is what a tab shows and what a screen reader says after a change of page. */
export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = title.startsWith(SITE) ? title : `${title} | ${SITE}`;
  }, [title]);
}
