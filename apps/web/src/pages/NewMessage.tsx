import type { FamilyResult } from '@lessonbook/contract/bulk-messages';
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { FEE_BLANK, useOneToOneMessage } from '../features/lessons/ask-one-to-one-fee-message.ts';
import { FamilyResults, formatResults } from '../features/messages/FamilyResults.tsx';
import classes from './Messages.module.css';

const NewMessageForm = lazy(async () => ({
  default: (await import('../features/messages/NewMessageForm.tsx')).NewMessageForm,
}));

/** A message to one or more families, then the result for each of them. The families are in the URL. */
export function NewMessagePage() {
  const { families = '', oneToOne = null } = useSearch({ from: '/tutor/messages/new' });
  const tutor = useTutor();
  const prefill = useOneToOneMessage(oneToOne, tutor);
  const navigate = useNavigate();
  const [results, setResults] = useState<FamilyResult[] | null>(null);
  const back = { link: { to: '/messages' }, label: 'Back to messages' } as const;
  if (results) {
    return (
      <NarrowContainer>
        <PageHeader title="Message sent" back={back} />
        <Card heading={formatResults(results)}>
          <FamilyResults results={results} />
        </Card>
        <div className={classes.buttons}>
          <ButtonLink to="/messages" variant="light">
            Go to messages
          </ButtonLink>
          <Button variant="subtle" onClick={() => setResults(null)}>
            Write another
          </Button>
        </div>
      </NarrowContainer>
    );
  }
  const loading = (
    <>
      <PageHeader back={back} />
      <RowSkeleton rows={4} />
    </>
  );
  if (prefill === undefined) return loading;
  const selectFamilies = (ids: readonly number[]) =>
    void navigate({
      to: '/messages/new',
      search: ids.length === 0 ? {} : { families: ids.join('-') },
      replace: true,
    });
  return (
    <Suspense fallback={loading}>
      <NewMessageForm
        key={oneToOne}
        {...(prefill && {
          prefill: { ...prefill, key: `one-to-one ${oneToOne}`, blank: FEE_BLANK },
        })}
        renderHeader={(action) => <PageHeader back={back} action={action} />}
        familyIds={families === '' ? [] : families.split('-').map(Number)}
        onFamiliesChange={selectFamilies}
        onSent={(sent) => {
          // Removes `oneToOne` from the URL, so that another message starts empty.
          if (prefill) selectFamilies(prefill.familyIds);
          setResults(sent);
        }}
        today={tutor.today}
      />
    </Suspense>
  );
}
