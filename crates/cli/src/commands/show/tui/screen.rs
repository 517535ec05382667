//! What is on the screen, and what keys do to it. It knows no terminal.

use std::collections::HashSet;

use andor_view::search::{Item, Moment, News, Search};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::outline::{self, Row, own};

/// Whether the program goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// It does.
    On,
    /// The user leaves.
    End,
}

/// Where keys go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// To the tree.
    Tree,
    /// To the panel, which they scroll.
    Panel,
    /// To the text that is looked for.
    Find(String),
    /// To the list of keys, which any closes.
    Help,
}

/// The screen.
pub(super) struct Screen {
    pub(super) search: Search,
    pub(super) title: String,
    pub(super) now: Moment,
    pub(super) rows: Vec<Row>,
    /// The line that is selected.
    pub(super) at: usize,
    /// The first line in view.
    pub(super) top: usize,
    /// Lines in view, as last drawn.
    pub(super) height: usize,
    pub(super) panel_top: u16,
    pub(super) mode: Mode,
    /// What the last key came to, if it is worth a word.
    pub(super) said: Option<String>,
    pub(super) agents: u32,
    unfolded: HashSet<Item>,
    proof: Vec<Item>,
    wanted: String,
}

impl Screen {
    /// Shows the end of a search.
    pub(super) fn new(search: Search) -> Self {
        let now = search.moment(search.moves());
        let mut screen = Self {
            title: search.title(),
            now,
            rows: Vec::new(),
            at: 0,
            top: 0,
            height: 1,
            panel_top: 0,
            mode: Mode::Tree,
            said: None,
            agents: search.agents(),
            unfolded: HashSet::new(),
            proof: Vec::new(),
            wanted: String::new(),
            search,
        };
        screen.begin();
        screen
    }

    fn begin(&mut self) {
        self.proof = self.search.proof(&self.now);
        self.unfolded = outline::at_first(&self.search, &self.now, &self.proof);
        self.rows = outline::rows(&self.search, &self.now, |item| self.unfolded.contains(&item));
        self.at = 0;
    }

    /// The item on the selected line.
    pub(super) fn item(&self) -> Option<Item> {
        self.rows.get(self.at).map(|row| row.item)
    }

    pub(super) fn is_unfolded(&self, item: Item) -> bool {
        self.unfolded.contains(&item)
    }

    pub(super) fn is_in_proof(&self, item: Item) -> bool {
        self.proof.contains(&item)
    }

    /// Reads what was added to the files. Who looks at the end goes on looking at the end.
    pub(super) fn refresh(&mut self) {
        let follows = self.now.moves == self.search.moves();
        match self.search.refresh() {
            News::None => return,
            News::More => {
                let moves = if follows { self.search.moves() } else { self.now.moves };
                self.go_to(moves);
            }
            News::Other => {
                self.now = self.search.moment(self.search.moves());
                self.begin();
            }
        }
        self.agents = self.search.agents();
    }

    /// Takes in a key.
    pub(super) fn key(&mut self, key: KeyEvent) -> Flow {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Flow::End;
        }
        self.said = None;
        match &mut self.mode {
            Mode::Help => self.mode = Mode::Tree,
            Mode::Find(text) => match key.code {
                KeyCode::Char(c) => text.push(c),
                KeyCode::Backspace => _ = text.pop(),
                KeyCode::Esc => self.mode = Mode::Tree,
                KeyCode::Enter => {
                    self.wanted = std::mem::take(text).to_lowercase();
                    self.mode = Mode::Tree;
                    self.find(true);
                }
                _ => {}
            },
            Mode::Panel => match key.code {
                KeyCode::Up | KeyCode::Char('k') => self.panel_top = self.panel_top.saturating_sub(1),
                KeyCode::Down | KeyCode::Char('j') => self.panel_top = self.panel_top.saturating_add(1),
                KeyCode::PageUp => self.panel_top = self.panel_top.saturating_sub(10),
                KeyCode::PageDown => self.panel_top = self.panel_top.saturating_add(10),
                KeyCode::Home => self.panel_top = 0,
                KeyCode::Tab | KeyCode::Esc => self.mode = Mode::Tree,
                _ => return self.common(key.code),
            },
            Mode::Tree => return self.tree(key.code),
        }
        Flow::On
    }

    /// A key that moves in the tree.
    fn tree(&mut self, code: KeyCode) -> Flow {
        let page = self.height.saturating_sub(1).max(1);
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.select(self.at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.select(self.at + 1),
            KeyCode::PageUp => self.select(self.at.saturating_sub(page)),
            KeyCode::PageDown => self.select(self.at + page),
            KeyCode::Home | KeyCode::Char('g') => self.select(0),
            KeyCode::End | KeyCode::Char('G') => self.select(self.rows.len()),
            KeyCode::Right | KeyCode::Char('l') | KeyCode::Enter => self.into(code == KeyCode::Enter),
            KeyCode::Left | KeyCode::Char('h') => self.out(),
            KeyCode::Char(' ') => self.fold(),
            KeyCode::Char('*') => self.unfold_all(),
            KeyCode::Char('-') => self.fold_all(),
            KeyCode::Tab => self.mode = Mode::Panel,
            _ => return self.common(code),
        }
        Flow::On
    }

    /// A key that does the same in the tree and in the panel.
    fn common(&mut self, code: KeyCode) -> Flow {
        let (moves, last) = (self.now.moves, self.search.moves());
        let stride = (last / 20).max(1);
        match code {
            KeyCode::Char('q') => return Flow::End,
            KeyCode::Char('?') => self.mode = Mode::Help,
            KeyCode::Char('/') => self.mode = Mode::Find(String::new()),
            KeyCode::Char('n') => self.find(true),
            KeyCode::Char('N') => self.find(false),
            KeyCode::Char('p') => self.next_of_proof(),
            KeyCode::Char('s') => self.selected_now(),
            KeyCode::Char(',') => self.go_to(moves.saturating_sub(1)),
            KeyCode::Char('.') => self.go_to(moves.saturating_add(1).min(last)),
            KeyCode::Char('<') => self.go_to(moves.saturating_sub(stride)),
            KeyCode::Char('>') => self.go_to(moves.saturating_add(stride).min(last)),
            KeyCode::Char('0') => self.go_to(0),
            KeyCode::Char('$') => self.go_to(last),
            _ => {}
        }
        Flow::On
    }

    /// Selects a line; the last one if there are fewer.
    fn select(&mut self, at: usize) {
        self.at = at.min(self.rows.len().saturating_sub(1));
        self.panel_top = 0;
    }

    /// Lists the lines again and stays at the selected item, or at the nearest above it that is still there.
    fn list(&mut self) {
        let here = self.rows.get(self.at).copied();
        self.rows = outline::rows(&self.search, &self.now, |item| self.unfolded.contains(&item));
        let Some(here) = here else { return self.select(0) };
        if here.is_link
            && let Some(at) = self.rows.iter().position(|row| row.is_link && row.item == here.item)
        {
            self.at = at;
            return;
        }
        let mut item = Some(here.item);
        while let Some(wanted) = item {
            if let Some(at) = self.rows.iter().position(|row| !row.is_link && row.item == wanted) {
                self.at = at;
                return;
            }
            item = self.search.parent(wanted);
        }
        self.select(0);
    }

    /// Unfolds what hides an item, and selects it.
    fn reveal(&mut self, item: Item) {
        let mut above = self.search.parent(item);
        while let Some(hiding) = above {
            self.unfolded.insert(hiding);
            above = self.search.parent(hiding);
        }
        self.rows = outline::rows(&self.search, &self.now, |item| self.unfolded.contains(&item));
        let at = self.rows.iter().position(|row| !row.is_link && row.item == item);
        self.select(at.unwrap_or(0));
    }

    fn fold(&mut self) {
        let Some(row) = self.rows.get(self.at).filter(|row| row.has_more) else { return };
        if !self.unfolded.remove(&row.item) {
            self.unfolded.insert(row.item);
        }
        self.list();
    }

    /// To the first item below; unfolds first. A link is followed.
    fn into(&mut self, folds: bool) {
        let Some(&row) = self.rows.get(self.at) else { return };
        if row.is_link {
            return self.reveal(row.item);
        }
        if folds || (row.has_more && !self.unfolded.contains(&row.item)) {
            self.fold();
        } else if row.has_more {
            self.select(self.at + 1);
        }
    }

    /// Folds, or goes to the item above.
    fn out(&mut self) {
        let Some(&row) = self.rows.get(self.at) else { return };
        if !row.is_link && row.has_more && self.unfolded.remove(&row.item) {
            return self.list();
        }
        let above = self.rows[..self.at].iter().rposition(|other| other.depth < row.depth);
        self.select(above.unwrap_or(self.at));
    }

    fn unfold_all(&mut self) {
        let Some(&row) = self.rows.get(self.at).filter(|row| !row.is_link) else { return };
        let mut agenda = vec![row.item];
        while let Some(item) = agenda.pop() {
            self.unfolded.insert(item);
            agenda.extend(outline::below(&self.search, &self.now, item).filter_map(own));
        }
        self.list();
    }

    fn fold_all(&mut self) {
        let Some(&row) = self.rows.get(self.at).filter(|row| !row.is_link) else { return };
        let inside = self.rows[self.at + 1..].iter().take_while(|below| below.depth > row.depth);
        for item in inside.map(|below| below.item).chain([row.item]) {
            self.unfolded.remove(&item);
        }
        self.list();
    }

    /// The search after this many moves.
    fn go_to(&mut self, moves: u32) {
        self.now = self.search.moment(moves);
        self.proof = self.search.proof(&self.now);
        self.list();
    }

    /// The node that the last move selected.
    fn selected_now(&mut self) {
        match self.search.told(self.now.moves).map(|told| told.node) {
            Some(node) => self.reveal(Item::Node(node)),
            None => self.said = Some("no iteration was made yet".to_owned()),
        }
    }

    /// The next item of the proof, beginning again after its end.
    fn next_of_proof(&mut self) {
        let here = self.item().and_then(|item| self.proof.iter().position(|of| *of == item));
        let is_whole = self.proof.len() > 1;
        match self.proof.get(here.map_or(0, |at| at + 1)).or(self.proof.first()).copied() {
            Some(item) if is_whole => self.reveal(item),
            _ => self.said = Some("there is no proof at this time".to_owned()),
        }
    }

    /// Looks for the text in all that there is by now, folded or not.
    fn find(&mut self, forward: bool) {
        if self.wanted.is_empty() {
            self.said = Some("nothing to find: press / first".to_owned());
            return;
        }
        let all = outline::rows(&self.search, &self.now, |_| true);
        let here = self.rows.get(self.at).and_then(|row| all.iter().position(|other| same(row, other)));
        let here = here.unwrap_or(0);
        let found = |at: &usize| {
            let row = &all[*at];
            !row.is_link && self.search.label(row.item).to_lowercase().contains(&self.wanted)
        };
        let n = all.len();
        let at = if forward {
            (1..=n).map(|step| (here + step) % n).find(found)
        } else {
            (1..=n).map(|step| (here + n - step) % n).find(found)
        };
        match at {
            Some(at) => self.reveal(all[at].item),
            None => self.said = Some(format!("no goal or tactic contains `{}`", self.wanted)),
        }
    }
}

fn same(row: &Row, other: &Row) -> bool {
    row.item == other.item && row.is_link == other.is_link
}
