"""From disagreement to a documented ground truth: the procedure of Oortwijn et al. (2021).

`terms` says what there is, `state` where a project stands. What happens is told by
subject: each has its events, how they change the state, its guards and its commands in one file
(`setup`, `guidelines`, `rounds`, `outcomes`, …; `procedure` lists them). `transitions` is the table
of steps, `proof` says what makes an answer ground truth, `procedure` carries a command out,
`store` keeps the events, `project` joins them. Nothing here computes statistics.
"""
