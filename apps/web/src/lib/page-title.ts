import { useEffect } from 'react';

const SITE_NAME = 'Lessonbook';

/**
 * The page's name comes first, because tabs show the start of the title and screen readers announce it after
 * navigation.
 */
export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = title.startsWith(SITE_NAME) ? title : `${title} | ${SITE_NAME}`;
  }, [title]);
}
