-- Shown to the tutor, and decides which codes a password reset deletes; null for codes created by the release before.
alter table recovery_codes add column created_at timestamptz;
