-- needs-stop
-- The tokens of pay pages, invoices and calendar feeds are derived from a public id and a version instead of being stored.
-- The previous release reads the columns that this file drops. Links made before stop working.

-- Links that the tutor shares and can replace. Global, because the tutor is not known yet; the public id is no secret.
create table shared_links (
  public_id text primary key check (public_id ~ '^[A-Za-z0-9_-]{16}$'),
  tutor_id uuid not null references tutors on delete cascade,
  kind text not null check (kind in ('balance', 'invoice', 'feed')),
  target_id integer not null,
  -- Raised to replace the link.
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  unique (tutor_id, kind, target_id)
);
grant select, insert, update, delete on shared_links to lessonbook_app, lessonbook_maintenance;

-- Forced row-level security would hide the rows from the owner role; it is forced again at the end.
alter table families no force row level security;
alter table contacts no force row level security;
alter table invoices no force row level security;
alter table calendar_feeds no force row level security;
alter table messages no force row level security;

insert into shared_links (public_id, tutor_id, kind, target_id, created_at)
select translate(encode(decode(left(replace(gen_random_uuid()::text, '-', ''), 24), 'hex'), 'base64'), '+/', '-_'),
  l.tutor_id, l.kind, l.target_id, l.created_at
from (
  select tutor_id, 'balance' as kind, id as target_id, created_at from families
  union all
  select tutor_id, 'invoice', id, issued_at from invoices where issued_at is not null
  union all
  select tutor_id, 'feed', 1, created_at from calendar_feeds
) as l;

delete from public_links where kind in ('balance', 'invoice', 'feed');
alter table public_links
  drop constraint public_links_kind_check,
  add constraint public_links_kind_check check (kind in ('unsubscribe', 'whatsapp'));

-- Stored texts contain a placeholder, which is replaced with the current link when they are sent or shown.
update messages set text = regexp_replace(text, 'https?://[^\s/]+/(pay|invoices)/[bi]_[A-Za-z0-9_-]+', '{link}', 'g')
where text ~ '/(pay|invoices)/[bi]_';

-- Payment references that were made from a surname become neutral; those that the tutor entered are kept.
update families f set payment_reference = 'LESSONS' || f.id
from contacts c
where c.tutor_id = f.tutor_id and c.id = f.contact_id
  and f.payment_reference = left(upper(regexp_replace(normalize((regexp_match(trim(c.name), '\S+$'))[1], NFD),
    '[^A-Za-z]', '', 'g')), 8) || f.id;

alter table families drop column pay_token;
alter table invoices drop constraint invoices_issued_complete, drop column token,
  add constraint invoices_issued_complete check (
    (issued_at is null) = (number is null) and (issued_at is null) = (sequence is null)
    and (issued_at is null) = (parties_snapshot is null) and (issued_at is null) = (issued_on is null));
drop table calendar_feeds;

alter table families force row level security;
alter table contacts force row level security;
alter table invoices force row level security;
alter table messages force row level security;
