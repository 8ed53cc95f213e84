"""From disagreement to a documented ground truth: the procedure of Oortwijn et al. (2021).

`words` and `records` say what there is, `events` what can happen, `state` where a project stands,
`folding` how an event changes that, `guards` and `transitions` what must hold before a step,
`commands` what people do, `store` where events are kept, `project` joins them. Nothing here
computes statistics.
"""
