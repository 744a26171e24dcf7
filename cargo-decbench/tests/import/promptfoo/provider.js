// A provider that decides by words, as the service of the other fixtures does.
module.exports = class {
  id() {
    return 'words-1';
  }
  async callApi(prompt) {
    const text = prompt.toLowerCase();
    const call = text.slice(text.lastIndexOf('\n') + 1);
    const has = (words) => words.some((word) => call.includes(word));
    const output = has(['charged', 'refund', 'pay']) ? 'billing' : has(['router', 'dead']) ? 'support' : 'sales';
    return { output, tokenUsage: { total: 41, prompt: 40, completion: 1 }, cost: 0.00002 };
  }
};
