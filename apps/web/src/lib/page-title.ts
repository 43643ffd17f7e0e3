import { useEffect } from 'react';

const SITE = 'Lessonbook';

/** The page's name comes first, because tabs show the beginning and screen readers announce it after a navigation. */
export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = title.startsWith(SITE) ? title : `${title} | ${SITE}`;
  }, [title]);
}
