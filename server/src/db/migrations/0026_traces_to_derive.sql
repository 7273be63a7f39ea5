-- no transaction
create index concurrently if not exists traces_derive_after on traces (derive_after) where derive_after is not null;
