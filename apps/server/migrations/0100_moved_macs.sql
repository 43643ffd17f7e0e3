-- SHA-256 of the MACs in the tokens of this version that other installations have made with their own secret keys. A keyed
-- MAC cannot be converted, and links that families already have go on working after the tutor has moved.
alter table shared_links add column moved_macs bytea[] not null default '{}';
