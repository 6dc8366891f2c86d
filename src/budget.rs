//! How much of a workspace one page shows. Past a limit a page says how much more there is and
//! links the stored file or the page that has all of it; exports and `report.json` are never cut.
