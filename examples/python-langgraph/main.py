import sys

from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from model import model

from countersign.langgraph import Gate, wrap_tool_call


@tool
def delete_branch(branch: str) -> str:
    """Delete a branch."""
    return f"Deleted {branch}."


gate = Gate(
    question=lambda call: f"Delete the branch {call.arguments['branch']}?",
)
tools = [delete_branch]
graph = StateGraph(MessagesState)
graph.add_node("model", lambda state: {"messages": [model.bind_tools(tools).invoke(state["messages"])]})
graph.add_node("tools", ToolNode(tools, wrap_tool_call=wrap_tool_call(gate)))
graph.add_edge(START, "model")
graph.add_conditional_edges("model", tools_condition)
graph.add_edge("tools", "model")

# The program stores the graph's state, so it can stop while it waits, and continue later.
with SqliteSaver.from_conn_string("graph.sqlite") as saver:
    agent = graph.compile(checkpointer=saver)
    config = {"configurable": {"thread_id": "1"}}
    asked = {"messages": [("user", sys.argv[1] if len(sys.argv) > 1 else "Delete the branch old-login.")]}
    result = agent.invoke(None if agent.get_state(config).next else asked, config, durability="sync")
    print(result["messages"][-1].text)
