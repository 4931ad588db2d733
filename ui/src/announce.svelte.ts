// One live region for the whole application: moves, results and what went wrong, told to screen readers.

class Announcements {
  text = $state("");
  private odd = false;

  say(text: string) {
    // The same sentence twice is read twice only if the text differs.
    this.odd = !this.odd;
    this.text = this.odd ? text : `${text} `;
  }
}

export const announcements = new Announcements();
