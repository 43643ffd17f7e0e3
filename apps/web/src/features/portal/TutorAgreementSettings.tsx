import {
  AgreementInput,
  type AgreementSettings,
  type AgreementVersion,
  MAX_AGREEMENT_LENGTH,
} from '@lessonbook/contract/agreements';
import { Button, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/Card.tsx';
import { DateField } from '../../components/DateField.tsx';
import { formatDateWithYear } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { useForm } from '../../lib/use-form.ts';
import classes from './Agreement.module.css';
import { useAskToAgree, usePublishAgreement } from './tutor-agreement-api.ts';

interface Props {
  settings: AgreementSettings;
  dateContext: DateContext;
}

/** The text for the next version, the published versions, and who has accepted them. */
export function TutorAgreementSettings({ settings, dateContext }: Props) {
  const { versions, people } = settings;
  const currentAndFutureVersions = versions.filter(({ state }) => state !== 'past');
  return (
    <>
      <NextVersion settings={settings} today={dateContext.today} />
      {currentAndFutureVersions.map((version) => (
        <CurrentOrFutureVersion key={version.version} {...{ version, settings, dateContext }} />
      ))}
      {versions.length > currentAndFutureVersions.length && (
        <Card heading="Earlier versions">
          {versions
            .filter(({ state }) => state === 'past')
            .map((version) => (
              <VersionText key={version.version} version={version} />
            ))}
        </Card>
      )}
      {currentAndFutureVersions.length > 0 && people.length === 0 && (
        <Card>
          <p>No one is asked to accept it yet: none of your students has someone who pays.</p>
        </Card>
      )}
    </>
  );
}

function NextVersion({ settings, today }: { settings: AgreementSettings; today: string }) {
  const [latest] = settings.versions;
  const earliest = latest && latest.startsOn > today ? latest.startsOn : today;
  const { values, errors, change, onSubmit, keyFor, replace } = useForm<AgreementInput>({
    schema: AgreementInput,
    initialValues: { text: latest?.text ?? '', startsOn: earliest },
    mode: 'controlled',
    draft: { key: 'agreement', fields: ['text'] },
  });
  const publish = usePublishAgreement();
  return (
    <Card heading={latest ? 'Change your agreement' : 'Your agreement'}>
      <form
        noValidate
        className={classes.form}
        onSubmit={onSubmit(
          (body) => publish.mutateAsync({ body, idempotencyKey: keyFor(body) }),
          ({ versions }) => replace({ ...values, text: versions[0]?.text ?? '' }),
        )}
      >
        <Textarea
          label="Text"
          description="For example how you charge, when to pay, and how much notice you need. The people who pay read it in the family portal and accept it with their name."
          size="md"
          rows={12}
          maxLength={MAX_AGREEMENT_LENGTH}
          value={values.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          error={errors.text}
          data-path="text"
        />
        <DateField
          label="Applies from"
          placeholder="Pick a date"
          today={today}
          earliest={earliest}
          value={values.startsOn}
          onChange={(startsOn) => change({ startsOn })}
          error={errors.startsOn}
          path="startsOn"
        />
        <p className={classes.hint}>
          A published version can't be changed. To change it, publish a new one; families see it
          straight away and are asked to accept it.
        </p>
        <div>
          <Button type="submit" disabled={publish.isPending || values.text === latest?.text}>
            {publish.isPending ? 'Publishing...' : `Publish version ${(latest?.version ?? 0) + 1}`}
          </Button>
        </div>
      </form>
    </Card>
  );
}

interface VersionProps extends Props {
  version: AgreementVersion;
}

/** A version that applies now or later, and who has accepted it. */
function CurrentOrFutureVersion({ version: agreement, settings, dateContext }: VersionProps) {
  const { version, state, startsOn, askedAt } = agreement;
  const { isPortalOpen, people } = settings;
  const ask = useAskToAgree();
  const accepted = people.filter(({ acceptances }) =>
    acceptances.some((each) => each.version === version),
  );
  return (
    <Card
      heading={`Version ${version}, ${state === 'coming' ? `from ${formatDateWithYear(startsOn)}` : 'applies now'}`}
    >
      <VersionText version={agreement} />
      <p>
        {accepted.length} of {people.length} {people.length === 1 ? 'person has' : 'people have'}{' '}
        agreed.
        {askedAt && ` First asked by email ${formatTimestamp(askedAt, dateContext)}.`}
      </p>
      <ul className={classes.people}>
        {people.map(({ contactId, familyId, name, hasAccess, acceptances }) => {
          const acceptance = acceptances.find((each) => each.version === version);
          return (
            <li key={contactId}>
              <Link to="/families/$id" params={{ id: String(familyId) }}>
                {name}
              </Link>
              <small>
                {acceptance
                  ? `Agreed ${formatTimestamp(acceptance.at, dateContext)}, as ${acceptance.name}${acceptance.network ? ` (${acceptance.network})` : ''}`
                  : hasAccess
                    ? 'Not agreed yet'
                    : "Not agreed: can't use the family portal"}
              </small>
            </li>
          );
        })}
      </ul>
      {isPortalOpen ? (
        accepted.length < people.length && (
          <div>
            <Button variant="light" disabled={ask.isPending} onClick={() => ask.mutate(version)}>
              {ask.isPending ? 'Sending...' : 'Ask everyone to agree'}
            </Button>
            <p className={classes.hint}>
              Emails everyone who hasn't agreed, once for each version.
            </p>
          </div>
        )
      ) : (
        <p className={classes.hint}>
          To ask families, <Link to="/settings/family-portal">open the family portal</Link> first.
        </p>
      )}
    </Card>
  );
}

const VersionText = ({ version: { version, text, startsOn } }: { version: AgreementVersion }) => (
  <details className={classes.version}>
    <summary>
      Read version {version}, from {formatDateWithYear(startsOn)}
    </summary>
    <p>{text}</p>
  </details>
);
