// Light or dark: the system's preference, unless the switch says otherwise. The choice is kept in this browser.

export type Theme = "light" | "dark" | "system";

const KEY = "lanista-theme";
const query = matchMedia("(prefers-color-scheme: dark)");

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}

class ThemeChoice {
  choice = $state<Theme>(stored());
  private systemDark = $state(query.matches);

  constructor() {
    query.addEventListener("change", (event) => {
      this.systemDark = event.matches;
      this.apply();
    });
    this.apply();
  }

  get dark(): boolean {
    return this.choice === "dark" || (this.choice === "system" && this.systemDark);
  }

  choose(choice: Theme) {
    this.choice = choice;
    if (choice === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
    this.apply();
  }

  private apply() {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
  }
}

export const theme = new ThemeChoice();
